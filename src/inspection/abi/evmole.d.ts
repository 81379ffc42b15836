/** The package ships these types without naming them for its main entry. */
declare module "evmole" {
  export { contractInfo } from "evmole/no_tla";
}

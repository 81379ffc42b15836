/** The package ships these types, but does not declare them for its main entry. */
declare module "evmole" {
  export { contractInfo } from "evmole/no_tla";
}

import { setNonce } from "get-nonce";

/** Radix inserts a style element while a dialog or menu is open; the content security policy admits it by this nonce. */
const nonce = document.querySelector<HTMLElement>("meta[property='csp-nonce']")?.nonce;
if (nonce) setNonce(nonce);

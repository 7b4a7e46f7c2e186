/** The nonce that allows style sheets created by scripts (`Content-Security-Policy`). */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

/**
 * Replaces a secret in responses to actors that may only view it. Always the same, so it does not reveal the length of
 * the secret.
 */
export const secretPlaceholder = 'XXXXXXXX'

/**
 * Replaces a secret in responses to actors that may only view it. Its length does not reveal the length of the secret.
 */
export const maskedSecret = 'XXXXXXXX'

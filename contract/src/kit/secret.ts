/** What a server shows in the place of a secret to who may only look. Its length says nothing about the secret. */
export const maskedSecret = 'XXXXXXXX'

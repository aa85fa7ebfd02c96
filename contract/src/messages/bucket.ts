/** Messages about the bucket for an account's recordings. */
export const messages = {
  valid: 'Bucket Credential is valid.',
  unknownVendor: (vendor: string) => `unknown storage vendor: ${vendor}`,
  fillRequiredFields: 'Fill in all required fields to test.',
  unsupportedVendor: (vendor: string) => `Does not support test for ${vendor}`,
  serviceKey: {
    notJson: 'Invalid service key file, could not parse as JSON.',
    incomplete: 'The service key file must contain a private_key and a client_email.',
  },
  unknownRegion: 'AWS has no region with this name. Enter a region such as us-east-1.',
  invalidEndpoint: 'The endpoint must be a URL that starts with http:// or https://.',
  reenterSecret: 'Enter the secret access key again. For security, a saved secret is not sent to a new endpoint.',
  incompleteTag: 'Enter a name and a value for each tag.',
  duplicateTag: 'Tag names must be unique.',
  tooLong: 'The bucket credential is too long to be stored.',
  instanceProfile: 'Only an administrator can let an account use the instance profile of this server.',
  /** Shown after a test with a masked secret: the server tested the stored credential. */
  savedCredentialTested:
    'The saved credential was tested, not your changes. To test your changes, enter the secret again.',
  failure: {
    write: (reason: string) => `The test file could not be written to the bucket. ${reason}`,
    read: (reason: string) => `The test file could not be read back from the bucket. ${reason}`,
    remove: (reason: string) => `The test file could not be deleted from the bucket. ${reason}`,
    differentContent: 'The bucket returned a different file from the one that was written.',
    noBucket: 'This bucket does not exist.',
    unknownKey: 'This access key ID does not exist.',
    wrongSecret: 'The secret does not match the access key ID.',
    malformedCredentials: 'The credentials are malformed. Enter them again.',
    accessDenied: 'The credential has no access to this bucket.',
    wrongRegion: 'The bucket is in another region.',
    roleDenied: 'This server is not allowed to assume the role.',
    noAwsCredentials: 'This server has no AWS credentials.',
    unknownHost: 'The host name could not be resolved.',
    untrustedCertificate: 'The TLS certificate of the storage is not trusted.',
    timeout: 'The storage did not respond in time.',
    serverError: 'The storage reported an internal error. Try again later.',
    /** The same message for a closed port and a forbidden address, so that a test cannot be used to scan a network. */
    unreachable:
      'This server cannot connect to the address. Private networks work only if the operator allows them (BUCKET_PRIVATE_TARGETS).',
    notAudio: 'The storage responded with something that is not a recording.',
    unexpectedStatus: (code: string) => `The storage responded with ${code}.`,
    unexpectedResponse: 'The storage sent an unexpected response.',
  },
} as const

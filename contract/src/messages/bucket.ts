/** Messages about the bucket for an account's recordings. */
export const messages = {
  valid: 'Bucket Credential is valid.',
  unknownVendor: (vendor: string) => `unknown storage vendor: ${vendor}`,
  testNeeds: 'Fill in all required fields to test.',
  untestable: (vendor: string) => `Does not support test for ${vendor}`,
  serviceKey: {
    noJson: 'Invalid service key file, could not parse as JSON.',
    incomplete: 'The service key file must contain a private_key and a client_email.',
  },
  badRegion: 'AWS has no region with this name. Enter a region such as us-east-1.',
  badEndpoint: 'The endpoint must be a URL that starts with http:// or https://.',
  secretWanted: 'Enter the secret access key again. For security, a saved secret is not sent to a new endpoint.',
  tagIncomplete: 'Enter a name and a value for each tag.',
  tagTwice: 'Tag names must be unique.',
  tooLong: 'The bucket credential is too long to be stored.',
  instanceProfile: 'Only an administrator can let an account use the instance profile of the server.',
  /** Shown after a test with a masked secret: the server tested the stored credential. */
  testedAsSaved: 'The saved credential was tested, not your changes. To test your changes, enter the secret again.',
  fault: {
    write: (why: string) => `The test file could not be written to the bucket. ${why}`,
    read: (why: string) => `The test file could not be read back from the bucket. ${why}`,
    remove: (why: string) => `The test file could not be deleted from the bucket. ${why}`,
    differs: 'The bucket returned a different file from the one that was written.',
    noBucket: 'This bucket does not exist.',
    unknownKey: 'This access key ID does not exist.',
    wrongSecret: 'The secret does not match the access key ID.',
    badSecret: 'The credentials are malformed.',
    denied: 'Access is denied.',
    otherRegion: 'The bucket is in another region.',
    noRole: 'This server is not allowed to assume the role.',
    noIdentity: 'This server has no AWS credentials.',
    noHost: 'The host name could not be resolved.',
    untrusted: 'The TLS certificate of the server is not trusted.',
    silent: 'The storage did not respond in time.',
    failed: 'The storage failed. Try again later.',
    /** The same message for a closed port and a forbidden address, so that a test cannot be used to scan a network. */
    unreachable:
      'This server cannot connect to the address. Private networks work only if the operator allows them (BUCKET_PRIVATE_TARGETS).',
    notAudio: 'The storage responded with something that is not a recording.',
    other: (code: string) => `The storage responded with ${code}.`,
    unknown: 'The storage sent an unexpected response.',
  },
} as const

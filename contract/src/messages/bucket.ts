/** Messages about the bucket for an account's recordings. */
export const messages = {
  valid: 'Bucket Credential is valid.',
  unknownVendor: (vendor: string) => `unknown storage vendor: ${vendor}`,
  testNeeds: 'Fill in all required fields to test.',
  untestable: (vendor: string) => `Does not support test for ${vendor}`,
  serviceKey: {
    noJson: 'Invalid service key file, could not parse as JSON.',
    incomplete: 'The service key file must hold a private_key and a client_email.',
  },
  badRegion: 'AWS has no region with this name. An example is us-east-1.',
  badEndpoint: 'The endpoint must be an address that begins with http:// or https://.',
  secretWanted: 'Enter the secret access key again: a stored secret is not sent to a changed endpoint.',
  tagIncomplete: 'Enter a name and a value for each tag.',
  tagTwice: 'Tag names must be unique.',
  tooLong: 'The bucket credential is too long to be stored.',
  instanceProfile: 'Only an administrator may let the server use its own instance profile.',
  /** Shown after a test with a masked secret: the server tested the stored credential. */
  testedAsSaved: 'The credential was tested as it is saved. Enter the secret again to test what you changed.',
  fault: {
    write: (why: string) => `Nothing could be written to the bucket. ${why}`,
    read: (why: string) => `The test file could not be read back from the bucket. ${why}`,
    remove: (why: string) => `The test file could not be deleted from the bucket. ${why}`,
    differs: 'The file read back differs from the file written.',
    noBucket: 'There is no bucket of that name.',
    unknownKey: 'The storage does not know this access key ID.',
    wrongSecret: 'The secret does not match the access key ID.',
    badSecret: 'The secret cannot be read.',
    denied: 'Access is denied.',
    otherRegion: 'The bucket is in another region.',
    noRole: 'The role may not be assumed from this server.',
    noIdentity: 'This server has no AWS identity of its own.',
    noHost: 'There is no host of that name.',
    untrusted: 'The certificate of the address is not trusted.',
    silent: 'There was no answer in time.',
    failed: 'The storage failed. Try again later.',
    /** The same message for a closed port and a forbidden address, so that a test cannot be used to scan a network. */
    unreachable:
      'This server cannot connect to the address. It must be a public one, unless the operator allows private networks (BUCKET_PRIVATE_TARGETS).',
    notAudio: 'The storage answered with something that is not a recording.',
    other: (code: string) => `The storage answered ${code}.`,
    unknown: 'The storage sent an unexpected answer.',
  },
} as const

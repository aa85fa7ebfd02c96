import { messages as bucket } from './bucket'

/** Messages about speech credentials and vendors. */
export const messages = {
  tested: 'Connection test successful',
  added: 'Speech credential created successfully',
  saved: 'Speech credential updated successfully',
  removed: (vendor: string) => `Deleted speech service ${vendor}`,
  none: 'No speech services.',
  vendorMissing: 'Vendor is required.',
  mayNotRemove: 'You do not have permissions to delete these Speech Credentials',
  notTested: 'In order to test your credentials you need to enable TTS/STT.',
  onlyFlagsMutable: 'use_for_tts and use_for_stt are the only updateable fields',
  duplicateLabel: (label: string) => `Label ${label} is already in use for another speech credential`,
  /** The request contains a masked secret, copied from a response. */
  masked: (field: string) => `${field} is masked: enter it in full.`,
  immutable: (field: string) => `${field} cannot be changed: add a new speech credential instead.`,
  /** A masked secret is not sent to an address that a user has just changed. */
  reenterSecret: (field: string) => `Enter ${field} again. For security, a saved secret is not sent to a new address.`,
  reenterHint: 'Enter it again to change the address. If you do not have it, add a new speech service.',
  tooLong: (field: string) => `${field} is too long to be stored.`,
  /** The credential was encrypted with another ENCRYPTION_SECRET. */
  unreadable:
    "The stored credential cannot be decrypted with the server's current ENCRYPTION_SECRET. Ask the operator of the server, or delete the credential and add it again.",
  serviceKey: bucket.serviceKey.notJson,
  /** The credential was saved, but a custom voice was refused. Saving again saves the rest. */
  voicesNotSaved: 'The speech service was saved, but not all of its custom voices.',
  /** The vendor test uses the stored credential. */
  savedCredentialTested: 'The test uses the saved credential, not your unsaved changes.',
  /** Asks for confirmation when custom voices are turned off, because saving then deletes them. */
  confirmVoiceRemoval: (count: number) =>
    `Are you sure you want to delete ${count === 1 ? 'the custom voice' : `all ${count} custom voices`} of this speech service? Saving deletes ${count === 1 ? 'it' : 'them'}, and applications that use ${count === 1 ? 'it' : 'them'} need another voice.`,
  voiceRequired: 'You must provide at least one custom voice.',
  invalid: {
    hostPort: (field: string) => `${field} must have the form host:port.`,
    hostPortOrUrl: (field: string) =>
      `${field} must have the form host:port, or be a URL that starts with https:// or http://.`,
    url: (field: string) => `${field} must be a URL that starts with https://, http://, wss:// or ws://.`,
    host: (field: string) => `${field} must be a host, such as speech.example.com or 10.0.0.7:5000.`,
    json: (field: string) => `${field} must be a JSON object.`,
  },
  mayNotChange: 'You do not have permissions to make changes to these Speech Credentials',
  /** For vendors without a catalogue: users type the languages and voices. */
  noCatalogue: (vendors: readonly string[]) =>
    `This server has no list of languages and voices for ${vendors.join(' and ')}. Enter the vendor's own codes.`,
  noLabels: 'This server does not list speech services. Enter the label of the one to use.',
  /** Shown before a credential is deleted that applications use. */
  usedByApplications:
    'These applications use it. If you delete it, their speech fails until you choose another speech service.',
  playbackFailed: 'The voice could not be played.',
  noFallback: 'Choose a fallback vendor for synthesis, recognition or both.',
} as const

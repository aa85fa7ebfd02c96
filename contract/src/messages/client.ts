export const messages = {
  added: 'Client created successfully',
  saved: 'Client updated successfully',
  removed: (username: string) => `Deleted sip client ${username}`,
  /** Shown after a deletion on the client's own screen. */
  removedOnScreen: 'Client deleted successfully',
  none: 'No sip clients.',
  noRealm: 'Sip realm is not set for the account.',
  realmRequired: 'You need to associate a sip realm to this account in order to add sip credentials.',
  registerAt: 'SIP clients of this account register at',
  duplicateUsername: 'This username is already in use by another SIP client of the account.',
} as const

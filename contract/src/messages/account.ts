export const messages = {
  added: 'Account created successfully',
  saved: 'Account updated successfully',
  removed: (name: string) => `Deleted account ${name}`,
  duplicateName: 'The name you have entered is already in use on another one of your accounts.',
  duplicateSipRealm: 'The SIP Realm you have entered is already in use on another one of your accounts.',
  mayNotListAllAccounts: 'You do not have permissions to manage all accounts',
  secretGenerated: 'Webhook signing secret was successfully generated',
  trialExpired: 'Your free trial has expired. Please upgrade...',
  removalCancelsSubscription: 'This account has a paid subscription. Deleting the account cancels the subscription.',
  removeOwn: {
    /** The phrase that users must type before they delete their own account. */
    confirmationPhrase: 'delete my account',
    wrongPhrase: 'You must type the delete message correctly in order to delete your account.',
  },
} as const

/** The sentences about phone numbers. */
export const messages = {
  added: 'Phone number created successfully',
  saved: 'Phone number updated successfully',
  removed: (number: string) => `Deleted phone number ${number}`,
  taken: 'The phone number you have entered is already in use.',
  updating: 'Updating number routing...',
  updated: 'Number routing updated successfully',
  chooseApplication: 'Choose application',
  none: 'No phone numbers.',
  needsAccount: 'A phone number belongs to an account: add an account first.',
  needsCarrier: 'A phone number comes over a carrier: add a carrier first.',
  severalAccounts: 'These numbers belong to different accounts, and an application serves one account only.',
  withoutAccount: 'These numbers belong to no account, so no application can be chosen for them.',
} as const

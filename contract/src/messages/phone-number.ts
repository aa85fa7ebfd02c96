/** The sentences about phone numbers. */
export const messages = {
  added: 'Phone number created successfully',
  saved: 'Phone number updated successfully',
  removed: (number: string) => `Deleted phone number ${number}`,
  taken: 'The phone number you have entered is already in use.',
  updating: 'Updating number routing...',
  updated: 'Number routing updated successfully',
  chooseApplication: 'Choose application',
} as const

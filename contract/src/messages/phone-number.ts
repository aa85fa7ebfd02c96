export const messages = {
  added: 'Phone number created successfully',
  saved: 'Phone number updated successfully',
  removed: (number: string) => `Deleted phone number ${number}`,
  foreignCarrier: 'This carrier belongs to another account.',
  duplicateNumber: 'The phone number you have entered is already in use.',
  updating: 'Updating number routing...',
  updated: 'Number routing updated successfully',
  chooseAccount: 'Choose account',
  chooseApplication: 'Choose application',
  none: 'No phone numbers.',
  internationalForm: 'Include the country code, as in +16175550100.',
  northAmerica: 'United States, Canada or the Caribbean',
  unknownCountryCode: 'No country code starts with these digits.',
  digitsMissing: (count: number) => (count === 1 ? '1 digit missing' : `${count} digits missing`),
  digitsTooMany: (count: number) => (count === 1 ? '1 digit too many' : `${count} digits too many`),
  needsAccount: 'Phone numbers need an account. Add an account first.',
  needsCarrier: 'Phone numbers need a carrier. Add a carrier first.',
  duplicateLine: (line: number) => `Line ${line} of the file has the same number.`,
  severalAccounts:
    'These numbers belong to different accounts. To remove their application, choose None. To assign one, select numbers of one account.',
  moving: 'In another account, the numbers lose their application unless you choose a new one.',
  withoutAccount: 'These numbers have no account. To assign an application, choose an account first.',
  import: {
    noColumn: 'The first row must contain the names of the columns. One of them must be "number".',
    noRows: 'The file has no phone numbers.',
    tooMany: (maximum: number) =>
      `The file has more than ${maximum.toLocaleString('en-US')} phone numbers. Split it into several files.`,
    noNumber: 'Enter a phone number.',
    noCarrier: 'Enter a carrier.',
    unknownRecord: (recordType: string, name: string) => `No ${recordType} is named ${name}.`,
    ambiguousRecord: (recordType: string, name: string) =>
      `More than one ${recordType} is named ${name}. Use the SID instead.`,
    outcomes: { add: 'New', change: 'Will be updated', same: 'Unchanged', wrong: 'Cannot be imported' },
    imported: (count: number) =>
      `Imported ${count.toLocaleString('en-US')} ${count === 1 ? 'phone number' : 'phone numbers'}`,
    invalidRows: 'Some rows have errors. Fix the file and choose it again, or import the valid rows.',
    notAtomic:
      'This server imports numbers one at a time. If the import fails, some numbers may already have been imported.',
    leaveGuard: { title: 'Leave during the import?', question: 'Some numbers may already have been imported.' },
    nothingToImport: 'Nothing to import: all numbers are up to date.',
    help: 'First row: number, carrier, account, application. Carriers, accounts and applications are given by name or SID. You can import an exported file as it is. Existing numbers of the same carrier are updated.',
  },
} as const

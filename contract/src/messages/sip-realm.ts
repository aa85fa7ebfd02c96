/** The subdomain that an account chooses for its SIP realm. */
export const messages = {
  choose: 'Choose a subdomain',
  chooseHelp: 'This becomes your SIP realm, the domain your phones and apps register with.',
  complete: 'Complete Registration →',
  change: 'Change Sip Realm',
  changeHelp: 'The domain your phones and apps register with.',
  changed: (realm: string) => `SIP realm changed to ${realm}`,
  changeable: 'You can change it later; devices must then be updated.',
  rule: 'At least 3 characters: letters, digits and hyphens.',
  invalidCharacters: 'Use letters, digits and hyphens only.',
  hyphenAtEnd: 'A subdomain may not start or end with a hyphen.',
  tooLong: (maximum: number) => `Use at most ${maximum} characters.`,
  checking: 'Checking',
  available: 'is available',
  unavailable: 'is already taken. Try another name.',
  unchanged: 'is your SIP realm now.',
  noRootDomain:
    'The operator of this installation has not set a domain for SIP realms yet. You can choose a subdomain later.',
  clientsRegisterWith: (count: number | undefined, realm: string) =>
    count === undefined
      ? `Clients register with ${realm}`
      : `${count.toLocaleString('en-US')} ${count === 1 ? 'client registers' : 'clients register'} with ${realm}`,
  clientsStopWorking: (count: number | undefined) =>
    count === 1
      ? 'It stops working until you update it to the new realm. DNS can take up to an hour to update.'
      : 'They stop working until you update them to the new realm. DNS can take up to an hour to update.',
} as const

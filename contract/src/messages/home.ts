/** Sentences of the screen Home. */
export const messages = {
  notProvided: 'This server has no data for Home.',
  notProvidedText: 'Home needs figures that only a Trunkline server reports.',
  noFailures: 'No carrier or speech service is failing.',
  accountStep: 'Applications, phone numbers and SIP clients belong to an account.',
  applicationStep: 'Its calling webhook returns the instructions for a call.',
  carrierStep: 'Choose a predefined carrier or enter its SIP gateways.',
  allowAddresses: 'Ask the carrier to allow these addresses:',
  numberStep: 'Enter them or import a CSV file, then assign an application to all of them at once.',
  registerAt: 'Register a SIP client at',
  registerClient: 'Register a SIP client',
  callNumber: 'or call one of your numbers. The call appears here after it has ended.',
  waitingForCall: 'Waiting for the first call',
} as const

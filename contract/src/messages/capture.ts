/** The sentences about captured SIP dialogues. */
export const messages = {
  title: 'Captured SIP',
  search: 'Number, address or Call-ID',
  callId: 'SIP Call-ID',
  none: 'No SIP messages with this Call-ID were captured.',
  notProvided: 'This server has no SIP messages with this Call-ID. It may not capture SIP.',
  ownOnly: 'You can open the captures of your calls and of the registrations of your carriers.',
  retention: 'Captures are deleted after their retention period.',
  loading: 'Loading the SIP messages',
  enterCallId: 'Enter a Call-ID to see its SIP messages.',
  emptyList: 'No SIP messages were captured.',
  nothingFound: 'No captured dialogue matches.',
  nothingFoundYet: 'No match among the newest captured dialogues.',
  newestSearched: 'Only the newest captures have been searched.',
  all: 'All captures',
  calls: 'Calls with this Call-ID',
  noAnswer: 'No answer',
} as const

/** The sentences about applications. */
export const messages = {
  added: 'Application created successfully',
  saved: 'Application updated successfully',
  removed: (name: string) => `Deleted application ${name}`,
  nameTaken: 'The name you have entered is already in use on another one of your applications.',
  program: {
    malformed: (why: string) => `This is not valid JSON: ${why}`,
    noList: 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].',
    unknownVerb: (verb: string) => `There is no verb called ${verb}.`,
    noVerb: 'Every step of the list needs a "verb".',
  },
  noAccess: 'You do not have access.',
} as const

/** The sentences about applications. */
export const messages = {
  added: 'Application created successfully',
  saved: 'Application updated successfully',
  removed: (name: string) => `Deleted application ${name}`,
  nameTaken: 'The name you have entered is already in use on another one of your applications.',
  noAccess: 'You do not have access.',
} as const

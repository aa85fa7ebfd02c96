export const messages = {
  contents: 'A view keeps the filters, the sort order, the page size and the columns of this list. Only you see it.',
  none: 'No saved views of this list.',
  notLoaded: 'The views could not be loaded.',
  nameRequired: 'Name is required.',
  linkTo: (name: string) => `Link to ${name}`,
  saved: (name: string) => `Saved view ${name}`,
  renamed: (name: string) => `Renamed view to ${name}`,
  removed: (name: string) => `Deleted view ${name}`,
  removeQuestion: (name: string) => `Are you sure you want to delete the view ${name}?`,
  duplicateName: 'Another view of this list has this name.',
  /** The request has no user whose views they could be. */
  noUser: 'Saved views belong to a user, and an API key has none. Sign in as a user.',
  tooMany: (limit: number) => `You have ${limit} saved views, the maximum. Delete one to save another.`,
} as const

export const messages = {
  added: 'User created successfully',
  saved: 'User updated successfully',
  removed: (name: string) => `Deleted user ${name}`,
  noAccounts: 'Cannot create an account. Service Provider has no accounts.',
  invalidPassword: 'Invalid password.',
  invalidEmail: 'Enter an email address, such as name@example.com.',
  duplicate: {
    name: 'This name is already in use by another user.',
    email: 'This email address is already in use by another user.',
    either: 'This name or email address is already in use by another user.',
  },
  email: {
    unconfirmed: 'This email address is not confirmed yet. Password reset links still go to the previous address.',
    ownUnconfirmed: (email: string) =>
      `Your email address is not confirmed yet. Open the link that was sent to ${email}. Until then, password reset links go to your previous address.`,
    sentAgain: 'The link was sent again. Please check your inbox.',
  },
  duplicateRefusal: 'invalid username or email',
  lastAdmin: 'This is the last active administrator. At least one must remain.',
  ownUserRefusal: {
    viewOnly: 'Invalid request: a user may not change its own view-only permission',
    active: 'Invalid request: a user may not deactivate itself',
    scope: 'Invalid request: a user may not change its own scope',
    oldPassword: 'old_password is required to change your own password',
  },
  externalSignIn: (provider: string) => `Signs in with ${provider} and has no password here.`,
  scopeHelp: {
    adding: 'Users that you add belong to your account.',
    editing: 'A user can be given a narrower scope, but not a wider one.',
  },
  ownUser: {
    scope: 'Only another administrator can change your scope.',
    active: "You can't deactivate your own user.",
    viewOnly: 'Only another administrator can change your permissions.',
    wrongPassword: 'This is not your current password.',
    passwordChanged: 'Your password has been changed.',
    remove: 'This is your own user. Deleting it ends your session.',
  },
} as const

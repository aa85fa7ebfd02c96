import { describe, expect, it } from 'vitest'
import { catalogue } from '../src/messages/catalogue'

/** What people have been promised to read, to the letter. Nothing here is made from the sentences themselves. */
const promised = [
  'Your session has expired. Please log in and try again.',
  'The server cannot be reached',
  'You must log in to view that page',
  "You've successfully logged out.",
  'You do not have access to this resource',
  "That page doesn't exist.",
  'Unexpected Application Error!',
  'Fields marked with an asterisk are required',
  '{text} copied to clipboard',
  'Unable to copy {text}, please select the text and right click to copy',
  'Login credentials are incorrect',
  'Something went wrong, please try again',
  'Passwords do not match',
  'CAPSLOCK is enabled!',
  'Password must:',
  'Be at least 8 characters long',
  'Contain at least one number',
  'Contain at least one special character',
  'A password reset email has been sent to your email. Please check your inbox (and, possibly, spam folder) and follow the instructions to reset your password.',
  'User created successfully',
  'User updated successfully',
  'Deleted user {name}',
  'Invalid password.',
  'Cannot create an account. Service Provider has no accounts.',
  'Settings updated',
  'Password settings successfully updated',
  'Tts Cache successfully cleaned',
  'You do not have permissions to manage Settings',
  'Enter quantity (0=unlimited)',
  'Added new service provider {name}',
  'Deleted service provider {name}',
  'Account created successfully',
  'Account updated successfully',
  'Deleted account {name}',
  'The name you have entered is already in use on another one of your accounts.',
  'The SIP Realm you have entered is already in use on another one of your accounts.',
  'You do not have permissions to manage all accounts',
  'You do not have permissions to make changes to this Account',
  'Webhook signing secret was successfully generated',
  'Your free trial has expired. Please upgrade...',
  'delete my account',
  'You must type the delete message correctly in order to delete your account.',
  'API key created',
  'API key deleted',
  'Never used',
  'Bucket Credential is valid.',
  'Invalid service key file, could not parse as JSON.',
  'Application created successfully',
  'Application updated successfully',
  'Deleted application {name}',
  'The name you have entered is already in use on another one of your applications.',
  'You do not have access.',
  'Connection test successful',
  'You do not have permissions to make changes to these Speech Credentials',
]

describe('the catalogue', () => {
  const said = catalogue.map(({ sentence }) => sentence)

  it('holds what was promised, to the letter, each once', () => {
    expect(said.toSorted()).toEqual(promised.toSorted())
    expect(new Set(said).size).toBe(said.length)
  })
})

import type { Services } from '../../composition/services'
import type { Registration } from './repository'

/**
 * Opens a session for a registration. Until the email address is confirmed, its token can only confirm it and sign out;
 * then it is the token of the new user.
 */
export const openRegistrationSession = (
  { sessions }: Pick<Services, 'sessions'>,
  {
    user_sid,
    account_sid,
    service_provider_sid,
    email,
  }: Pick<Registration, 'user_sid' | 'account_sid' | 'service_provider_sid' | 'email'>,
): Promise<string> =>
  sessions.open(user_sid, {
    scope: 'account',
    account_sid,
    service_provider_sid,
    email,
    name: email,
    permissions: [],
    is_view_only: false,
  })

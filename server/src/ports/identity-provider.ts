/** The response of the browser's visit to an identity provider. */
export interface AuthorizationResponse {
  code: string
  state: string
  /** The page of the console to which the provider sent the browser. */
  redirectUri: string
  /** The PKCE verifier, if the browser sent a challenge. */
  codeVerifier?: string
}

/** A user of an identity provider. */
export interface Identity {
  /** Never changes, and is never assigned to another user of the provider. */
  id: string
  /** As the platform stores it in `users.provider_userid`. At GitHub the login, which can pass to another user. */
  userid: string
  /** The primary address, in lower case. Absent unless the provider has verified it. */
  email?: string
  /** The URL of the user's picture. */
  picture?: string
}

/**
 * The provider refuses a code or does not disclose the user. The message is for the user, and contains nothing but fixed
 * texts and the error code of the provider.
 */
export class IdentityRefusedError extends Error {
  override readonly name = 'IdentityRefusedError'
}

/** A company whose accounts users sign in with. */
export interface IdentityProvider {
  /** Our ID at the provider. Codes for other clients are worthless here. */
  clientId: string
  /**
   * Exchanges the code and reads the user. A code works once. Throws IdentityRefusedError if the provider refuses, and
   * UnavailableError if it does not respond as it should.
   */
  identify(response: AuthorizationResponse): Promise<Identity>
}

/** The configured identity providers. */
export type IdentityProviders = Partial<Record<'github' | 'google', IdentityProvider>>

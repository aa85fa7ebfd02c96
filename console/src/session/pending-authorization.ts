import { localValues } from '../lib/storage'

/** Removes what was stored when the user left for the page of an identity provider. */
export const clearAuthorization = (): void => {
  localValues.oauthState.clear()
  localValues.oauthVerifier.clear()
  localValues.pathBeforeOauth.clear()
}

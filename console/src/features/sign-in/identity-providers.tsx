import { messages } from '@trunkline/contract/messages/identity-provider'
import { IdentityProviderButton } from '../../panels/identity-provider-button'
import { getIdentityProviders } from '../../session/oauth'
import css from './identity-providers.module.css'

/** The buttons of the identity providers. */
export const IdentityProviders = () => (
  <>
    <div className={css.or}>or</div>
    <div className={css.providers}>
      {getIdentityProviders().map((provider) => (
        <IdentityProviderButton
          key={provider}
          provider={provider}
          pathBeforeOauth="/sign-in"
          label={messages.signIn(messages.names[provider])}
        />
      ))}
    </div>
  </>
)

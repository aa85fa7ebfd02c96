import { paths } from '../lib/paths'
import { mayStartAtHome } from '../session/user-settings'
import { findScreen } from './screens'

/** Loads the code of the first screen after a sign-in. A failure is ignored: the screen then loads its code itself. */
const loadSignedInCode = () =>
  Promise.all([
    import('./signed-in-layout'),
    import('./request-screen-data'),
    findScreen(mayStartAtHome() ? paths.home : paths.accounts.list)?.load(),
  ]).then(
    () => true,
    () => false,
  )

const isPasswordField = ({ target }: Event) => target instanceof HTMLInputElement && target.type === 'password'

/**
 * Loads the code behind the sign-in screen as soon as the user types a name or enters the password field, so that only
 * data is missing after the sign-in. Returns a function that unsubscribes.
 */
export const preloadSignedInCode = (): (() => void) => {
  const unsubscribe = () => {
    document.removeEventListener('input', load)
    document.removeEventListener('focusin', loadOnPassword)
  }
  const load = () => {
    unsubscribe()
    void loadSignedInCode().then((isLoaded) => {
      if (!isLoaded) subscribe()
    })
  }
  const loadOnPassword = (event: Event) => {
    if (isPasswordField(event)) load()
  }
  const subscribe = () => {
    document.addEventListener('input', load)
    document.addEventListener('focusin', loadOnPassword)
  }
  subscribe()
  return unsubscribe
}

import type { Route } from '@trunkline/contract/kit/route'
import * as registrationRoutes from '@trunkline/contract/resources/registration'
import { confirmEmail, forgotPassword, signIn } from '@trunkline/contract/resources/session'
import * as subscriptionRoutes from '@trunkline/contract/resources/subscription'
import { apiPrefix } from './mount-route'

/** The routes that this server has only if a setting enables them. */
const optionalRoutes: Route[] = [
  ...Object.values(registrationRoutes),
  ...Object.values(subscriptionRoutes),
  signIn,
  forgotPassword,
  confirmEmail,
]

const toPattern = ({ path }: Route) => path.replaceAll('/', '/+').replace(/:\w+/g, '[^/?]+')

const optionalPaths = new RegExp(
  `^/+${apiPrefix.slice(1)}(${[...new Set(optionalRoutes.map(toPattern))].join('|')})(/|\\?|$)`,
  'i',
)

/**
 * Whether a URL belongs to a disabled feature, such as the hosted edition. Requests for it get 404 even without a
 * credential: clients would read a 401 as an expired session.
 */
export const isOptionalPath = (url: string): boolean => optionalPaths.test(url)

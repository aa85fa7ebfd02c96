import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'

let currentFlags: FeatureFlags = defaultFeatureFlags

/** The installation's feature flags, which main.tsx loads before the first render. */
export const getFeatureFlags = (): FeatureFlags => currentFlags

/** Sets the feature flags. Removes slashes at the end of the base URL, because route paths start with one. */
export const setFeatureFlags = (flags: FeatureFlags): FeatureFlags => {
  currentFlags = { ...flags, apiBaseUrl: flags.apiBaseUrl.replace(/\/+$/, '') }
  return currentFlags
}

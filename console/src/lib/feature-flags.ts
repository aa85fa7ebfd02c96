import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'

let current: FeatureFlags = defaultFeatureFlags

/** The settings of this installation, as main read them before the first render. */
export const featureFlags = (): FeatureFlags => current

export const setFeatureFlags = (next: FeatureFlags): FeatureFlags => {
  current = { ...next, apiBaseUrl: next.apiBaseUrl.replace(/\/+$/, '') }
  return current
}

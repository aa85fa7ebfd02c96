import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'

let current: FeatureFlags = defaultFeatureFlags

/** The installation's feature flags, which main loads before the first render. */
export const featureFlags = (): FeatureFlags => current

export const setFeatureFlags = (next: FeatureFlags): FeatureFlags => {
  current = { ...next, apiBaseUrl: next.apiBaseUrl.replace(/\/+$/, '') }
  return current
}

import { defaultFeatures, type Features } from '@trunkline/contract/feature-flags'

let present: Features = defaultFeatures

/** The settings of this installation, as main read them before the first render. */
export const features = (): Features => present

export const setFeatures = (next: Features): Features => {
  present = { ...next, apiBaseUrl: next.apiBaseUrl.replace(/\/+$/, '') }
  return present
}

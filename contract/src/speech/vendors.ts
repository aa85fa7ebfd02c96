import type { Direction, Vendor } from './vendor'
import { vendors } from './vendors/all'

/** Before the name of a vendor that an installation has added. */
export const customPrefix = 'custom:'

/** A vendor that an installation has added: what it can do is known to its credential only. */
export const isCustomVendor = (vendor: string): boolean => vendor.startsWith(customPrefix)

/** The description of a vendor, as credentials and applications store it. */
export const vendorOf = (vendor: string): Vendor | undefined =>
  isCustomVendor(vendor)
    ? vendors.find((each) => each.isNamedByInstallation)
    : vendors.find((each) => each.vendor === vendor && !each.isNamedByInstallation)

/** What a person calls a vendor. */
export const vendorName = (vendor: string): string =>
  isCustomVendor(vendor) ? `${vendor.slice(customPrefix.length)} (custom)` : (vendorOf(vendor)?.name ?? vendor)

/** What of speech an edition has: see `Features`. */
export interface SpeechFlags {
  customSpeech: boolean
  additionalSpeech: boolean
}

/** Is a vendor offered in an edition? */
export const isOffered = (
  { isNamedByInstallation, additional }: Vendor,
  { customSpeech, additionalSpeech }: SpeechFlags,
): boolean => (!isNamedByInstallation || customSpeech) && (!additional || additionalSpeech)

const byName = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'base' })

/** Vendors as they are stored, in the order of what people call them. */
export const sortVendors = (vendorIds: Iterable<string>): string[] =>
  [...vendorIds].sort((a, b) => byName(vendorName(a), vendorName(b)))

/** The vendors that an edition offers for a direction. Those of an installation come with its credentials. */
export const vendorsFor = (direction: Direction, flags: SpeechFlags): readonly Vendor[] =>
  vendors.filter((each) => each[direction] !== null && !each.isNamedByInstallation && isOffered(each, flags))

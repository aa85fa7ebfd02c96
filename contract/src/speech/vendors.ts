import type { Direction, Vendor } from './vendor'
import { vendors } from './vendors/all'

/** Before the name of a vendor that an installation has added. */
export const customMark = 'custom:'

/** A vendor that an installation has added: what it can do is known to its credential only. */
export const isCustom = (vendor: string): boolean => vendor.startsWith(customMark)

/** The description of a vendor, as credentials and applications store it. */
export const vendorOf = (vendor: string): Vendor | undefined =>
  isCustom(vendor) ? vendors.find((each) => each.named) : vendors.find((each) => each.vendor === vendor && !each.named)

/** What a person calls a vendor. */
export const vendorName = (vendor: string): string =>
  isCustom(vendor) ? `${vendor.slice(customMark.length)} (custom)` : (vendorOf(vendor)?.name ?? vendor)

/** What of speech an edition has: see `Features`. */
export interface SpeechEdition {
  customSpeech: boolean
  additionalSpeech: boolean
}

/** Is a vendor offered in an edition? */
export const isOffered = ({ named, additional }: Vendor, { customSpeech, additionalSpeech }: SpeechEdition): boolean =>
  (!named || customSpeech) && (!additional || additionalSpeech)

const byName = (one: string, other: string) => one.localeCompare(other, 'en', { sensitivity: 'base' })

/** Vendors as they are stored, in the order of what people call them. */
export const inOrder = (stored: Iterable<string>): string[] =>
  [...stored].sort((one, other) => byName(vendorName(one), vendorName(other)))

/** The vendors that an edition offers for a direction. Those of an installation come with its credentials. */
export const vendorsFor = (direction: Direction, edition: SpeechEdition): readonly Vendor[] =>
  vendors.filter((each) => each[direction] !== null && !each.named && isOffered(each, edition))

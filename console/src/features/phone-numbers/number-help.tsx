import { messages } from '@trunkline/contract/messages/phone-number'
import { readInternational, type Dialled } from './e164'
import { useWatch } from 'react-hook-form'
import { stripPunctuation } from '../../lib/phone-number'

const names = new Intl.DisplayNames(['en'], { type: 'region' })

const placeOf = ({ code, region }: Dialled) => `${region ? names.of(region) : messages.northAmerica}, +${code}`

const lengthOf = ({ missing = 0 }: Dialled) => {
  if (missing === 0) return ''
  return missing > 0 ? ` – ${messages.digitsMissing(missing)}` : ` – ${messages.digitsTooMany(-missing)}`
}

/** Returns the help text for a number while it is typed. None of it is validation. */
const helpFor = (typed: string): string => {
  const number = stripPunctuation(typed)
  if (!/^\+?\d+$/.test(number)) return messages.internationalForm
  const read = readInternational(number)
  if (read) return placeOf(read) + lengthOf(read)
  // the longest country code has three digits
  return number.replace('+', '').length < 3 ? messages.internationalForm : messages.unknownCountryCode
}

/** The help text below the number field: the region, and how many digits are missing. */
export const NumberHelp = () => helpFor(useWatch<{ number: string }, 'number'>({ name: 'number' }))

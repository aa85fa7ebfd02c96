import { messages } from '@trunkline/contract/messages/phone-number'
import { parseInternational, type InternationalNumber } from './e164'
import { useWatch } from 'react-hook-form'
import { stripPunctuation } from '../../lib/phone-number'

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })

const formatRegion = ({ code, region }: InternationalNumber) =>
  `${region ? regionNames.of(region) : messages.northAmerica}, +${code}`

const formatMissingDigits = ({ missingDigits = 0 }: InternationalNumber) => {
  if (missingDigits === 0) return ''
  return missingDigits > 0
    ? ` – ${messages.digitsMissing(missingDigits)}`
    : ` – ${messages.digitsTooMany(-missingDigits)}`
}

/** Returns the help text for a number while it is typed. It informs only: validation is separate. */
const getHelpText = (enteredNumber: string): string => {
  const number = stripPunctuation(enteredNumber)
  if (!/^\+?\d+$/.test(number)) return messages.internationalForm
  const internationalNumber = parseInternational(number)
  if (internationalNumber) return formatRegion(internationalNumber) + formatMissingDigits(internationalNumber)
  // the longest country code has three digits
  return number.replace('+', '').length < 3 ? messages.internationalForm : messages.unknownCountryCode
}

/** The help text below the number field: the region, and how many digits are missing. */
export const NumberHelp = () => getHelpText(useWatch<{ number: string }, 'number'>({ name: 'number' }))

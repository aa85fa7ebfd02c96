import { useWatch } from 'react-hook-form'
import type { FieldProps } from './bind'
import { Choice } from './choice'
import { Text } from './text'
import { asText } from './typed'

/** What can be chosen: as it is stored, and as a person reads it. */
interface Offer {
  value: string
  name: string
}

export interface ListedProps extends FieldProps {
  /** What there is; null: nobody can say, so it is typed, which is for the form around it to explain. */
  offers: readonly Offer[] | null
  /** The offers are on their way. */
  loading?: boolean
  /** The option that means null. */
  none?: string
  /** What the list lacks may be typed. */
  open?: boolean
  maxLength: number
  onPick?: (value: string | null) => void
}

const optionsOf = (offers: readonly Offer[], present: string) => {
  // a list may name a thing twice
  const options = new Map(offers.map(({ value, name }) => [value, { value, label: name || value }]))
  if (present !== '' && !options.has(present)) options.set(present, { value: present, label: present })
  return [...options.values()]
}

/** One of what somebody else lists, if they do: what is chosen already stays, listed or not. */
export const Listed = ({ offers, loading, none, open, maxLength, onPick, ...props }: ListedProps) => {
  const present = asText(useWatch({ name: props.name }) as unknown)
  if (offers === null && !loading) return <Text {...props} maxLength={maxLength} />
  return (
    <Choice
      {...props}
      options={optionsOf(offers ?? [], present)}
      none={none}
      open={open && !loading}
      placeholder={loading ? 'Loading' : undefined}
      onPick={onPick}
    />
  )
}

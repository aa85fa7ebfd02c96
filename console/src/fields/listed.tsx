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
  /** What there is; null: nobody can say, so it is typed. */
  offers: readonly Offer[] | null
  /** Why it has to be typed. */
  typed: string
  /** The offers are on their way. */
  loading?: boolean
  /** The option that means null. */
  none?: string
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
export const Listed = ({ offers, typed, loading, none, maxLength, onPick, ...props }: ListedProps) => {
  const present = asText(useWatch({ name: props.name }) as unknown)
  if (offers === null && !loading) return <Text {...props} help={typed} maxLength={maxLength} />
  return (
    <Choice
      {...props}
      options={optionsOf(offers ?? [], present)}
      none={none}
      placeholder={loading ? 'Loading' : undefined}
      onPick={onPick}
    />
  )
}

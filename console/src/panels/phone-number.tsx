import type { ClipboardEvent, MouseEvent } from 'react'
import { toDialableNumber, formatPhoneNumber } from '../lib/phone-number'

/** By default, browsers select only one group of digits. */
const selectAll = ({ currentTarget }: MouseEvent) => window.getSelection()?.selectAllChildren(currentTarget)

/** A phone number in a list. A double click selects all of it, and Copy puts it on the clipboard in dialable form. */
export const PhoneNumberText = ({ number }: { number: string | null | undefined }) => {
  if (!number) return null
  const text = formatPhoneNumber(number)
  const onCopy = (event: ClipboardEvent) => {
    // the selection is larger or smaller than this number
    if (window.getSelection()?.toString().trim() !== text) return
    event.clipboardData.setData('text/plain', toDialableNumber(number))
    event.preventDefault()
  }
  return (
    // For pointers only: keyboard users can copy the number with a button in the record's details.
    <span onDoubleClick={selectAll} onCopy={onCopy}>
      {text}
    </span>
  )
}

import type { ClipboardEvent, MouseEvent } from 'react'
import { dialableNumber, sayNumber } from '../lib/phone-number'

/** By default, browsers select only one group of digits. */
const selectAll = ({ currentTarget }: MouseEvent) => window.getSelection()?.selectAllChildren(currentTarget)

/** A phone number in a list. A double click selects all of it, and Copy puts it on the clipboard in dialable form. */
export const NumberText = ({ number }: { number: string | null | undefined }) => {
  if (!number) return null
  const text = sayNumber(number)
  const onCopy = (event: ClipboardEvent) => {
    // the selection is larger or smaller than this number
    if (window.getSelection()?.toString().trim() !== text) return
    event.clipboardData.setData('text/plain', dialableNumber(number))
    event.preventDefault()
  }
  return (
    // For pointers only: keyboard users can copy the number with a button in the record's details.
    <span onDoubleClick={selectAll} onCopy={onCopy}>
      {text}
    </span>
  )
}

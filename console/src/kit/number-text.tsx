import type { ClipboardEvent, MouseEvent } from 'react'
import { dialableNumber, sayNumber } from '../lib/phone'

/** Browsers would select one group of digits only. */
const selectAll = ({ currentTarget }: MouseEvent) => window.getSelection()?.selectAllChildren(currentTarget)

/** A phone number in a list. A double click selects all of it, and it is copied as programs take it. */
export const NumberText = ({ number }: { number: string | null | undefined }) => {
  if (!number) return null
  const text = sayNumber(number)
  const onCopy = (event: ClipboardEvent) => {
    // more than this number was selected, or a part of it
    if (window.getSelection()?.toString().trim() !== text) return
    event.clipboardData.setData('text/plain', dialableNumber(number))
    event.preventDefault()
  }
  return (
    // For pointers only: with keys, the details of a record have a button that copies the number.
    <span onDoubleClick={selectAll} onCopy={onCopy}>
      {text}
    </span>
  )
}

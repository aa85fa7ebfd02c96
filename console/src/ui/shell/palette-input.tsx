import { useLayoutEffect, useRef } from 'react'
import css from './palette-input.module.css'

export interface PaletteInputProps {
  query: string
  onQuery: (query: string) => void
  onClose: () => void
}

/** Takes the place of the command palette and accepts input until its code has loaded. */
export const PaletteInput = ({ query, onQuery, onClose }: PaletteInputProps) => {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  return (
    <input
      ref={input}
      className={css.input}
      aria-label="Search or jump to"
      placeholder="Search or jump to"
      autoComplete="off"
      spellCheck={false}
      value={query}
      onChange={(event) => onQuery(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (query === '') onClose()
        else onQuery('')
      }}
    />
  )
}

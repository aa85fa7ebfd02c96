import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './read-only-note.module.css'

/** Explains why the screen can't be edited. */
export const ReadOnlyNote = ({ children }: { children: ReactNode }) => (
  <p role="note" className={css.note}>
    <Lock size={14} strokeWidth={2} aria-hidden="true" />
    {children}
  </p>
)

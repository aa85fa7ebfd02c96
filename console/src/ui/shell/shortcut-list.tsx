import { useId } from 'react'
import { KeyCaps } from '../key-caps'
import css from './shortcut-list.module.css'

export interface Shortcut {
  action: string
  keys: string[]
  /** Other keys for the same action. */
  alternatives?: string[]
}

/** Keyboard shortcuts: the action at the left, the keys at the right. */
export const ShortcutList = ({ title, shortcuts }: { title: string; shortcuts: Shortcut[] }) => {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className={css.title}>
        {title}
      </h3>
      <dl className={css.list}>
        {shortcuts.map(({ action, keys, alternatives }) => (
          <div key={action} className={css.row}>
            <dt>{action}</dt>
            <dd>
              <KeyCaps keys={keys} />
              {alternatives ? (
                <>
                  or
                  <KeyCaps keys={alternatives} />
                </>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

import { KeyCaps } from '../key-caps'
import css from './shortcut-list.module.css'

/** Keyboard shortcuts: the action at the left, the keys at the right. */
export const ShortcutList = ({ shortcuts }: { shortcuts: { does: string; keys: string[] }[] }) => (
  <dl className={css.list}>
    {shortcuts.map(({ does, keys }) => (
      <div key={does} className={css.row}>
        <dt>{does}</dt>
        <dd>
          <KeyCaps keys={keys} />
        </dd>
      </div>
    ))}
  </dl>
)

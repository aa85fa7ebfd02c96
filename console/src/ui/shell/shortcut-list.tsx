import { KeyCaps } from '../key-caps'
import css from './shortcut-list.module.css'

/** Keyboard shortcuts: the action at the left, the keys at the right. */
export const ShortcutList = ({ shortcuts }: { shortcuts: { action: string; keys: string[] }[] }) => (
  <dl className={css.list}>
    {shortcuts.map(({ action, keys }) => (
      <div key={action} className={css.row}>
        <dt>{action}</dt>
        <dd>
          <KeyCaps keys={keys} />
        </dd>
      </div>
    ))}
  </dl>
)

import css from './key-caps.module.css'

/** Label of the command modifier key on this computer. */
export const commandKey = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '') ? '⌘' : 'Ctrl'

/** Keyboard keys: ['Ctrl', 'K']. */
export const KeyCaps = ({ keys }: { keys: string[] }) => (
  <span className={css.keys}>
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
)

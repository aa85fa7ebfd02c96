import css from './key-caps.module.css'

/** The key that makes a command of a letter, as this machine's keyboard names it. */
export const commandKey = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '') ? '⌘' : 'Ctrl'

/** Keys as drawn on a keyboard: ['Ctrl', 'K']. */
export const KeyCaps = ({ keys }: { keys: string[] }) => (
  <span className={css.keys}>
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
)

import css from './key-caps.module.css'

/** Keys as drawn on a keyboard: ['Ctrl', 'K']. */
export const KeyCaps = ({ keys }: { keys: string[] }) => (
  <span className={css.keys}>
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
)

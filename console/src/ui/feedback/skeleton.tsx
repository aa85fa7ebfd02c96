import css from './skeleton.module.css'

const shares = [32, 44, 28, 52, 36, 48]

/** Placeholder of a loading form: labels and inputs. */
export const FieldSkeleton = () => (
  <div className={css.fields} aria-hidden="true">
    {shares.map((share) => (
      <div key={share}>
        <span className={css.line} style={{ width: `${share / 2}%` }} />
        <span className={css.line} />
      </div>
    ))}
  </div>
)

/** Placeholder of a loading list. */
export const RowSkeleton = () => (
  <div className={css.rows} aria-hidden="true">
    {[...shares, ...shares, ...shares].map((share, at) => (
      <div key={at}>
        <span className={css.line} style={{ width: `${share}%` }} />
      </div>
    ))}
  </div>
)

/** Metrics of the daemon. */

export { collectMetrics, type MetricsPorts } from './metrics.js';
export { createObserver } from './observer.js';
export { PROMETHEUS_TYPE, prometheusText } from './prometheus-text.js';
export { createWatchers } from './watchers.js';

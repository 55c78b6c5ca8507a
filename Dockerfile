# Two stages: one that installs, one that runs. No compiler in either: kernels are Python, compiled by Numba.

FROM python:3.12-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/puzzlemill
WORKDIR /source
# Dependencies first: they change less often than the program, so their layer is kept. `[postgres]` brings the driver.
COPY pyproject.toml constraints.txt README.md LICENSE ./
RUN mkdir engine db migrations workers frontends bench \
    && /opt/puzzlemill/bin/pip install --constraint constraints.txt ".[postgres]" \
    && /opt/puzzlemill/bin/pip uninstall --yes puzzlemill
COPY engine engine
COPY db db
COPY migrations migrations
COPY workers workers
COPY frontends frontends
COPY bench bench
RUN /opt/puzzlemill/bin/pip install --no-deps --constraint constraints.txt .

FROM python:3.12-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin puzzlemill \
    && mkdir -p /data/artifacts /opt/kernels \
    && chown -R puzzlemill /data /opt/kernels
# Healthy means: the service wrote its sign of life less than half a minute ago. Cheaper than starting Python every time.
RUN printf '#!/bin/sh\nfind "$PUZZLEMILL_DATA_DIR/run/$1.alive" -newermt "-30 seconds" 2>/dev/null | grep -q .\n' \
    > /usr/local/bin/find-alive && chmod 755 /usr/local/bin/find-alive
COPY --from=build /opt/puzzlemill /opt/puzzlemill
ENV PATH=/opt/puzzlemill/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    NUMBA_CACHE_DIR=/opt/kernels \
    PUZZLEMILL_DATA_DIR=/data
USER puzzlemill
# Compile now, not at every start. Numba keeps a cache for each type of processor: on another one they are compiled once more.
RUN python -m engine.warm
WORKDIR /data
VOLUME /data/artifacts
HEALTHCHECK --interval=15s --timeout=5s --start-period=180s CMD ["find-alive", "worker"]
ENTRYPOINT ["puzzlemill"]
CMD ["worker"]
